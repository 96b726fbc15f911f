// The API's reference: Scalar, shown as our pages are and kept to this origin. What it offers of its makers'
// services is off; the policy of the page would refuse it besides.
const place = /** @type {HTMLElement} */ (document.getElementById('referencia'))

/** What is left is one way of each of our languages, which needs little or nothing beside it. */
const HIDDEN_CLIENTS =
  'c clojure dart fsharp http js julia kotlin objc ocaml powershell r rust swift csharp/restsharp ' +
  'java/asynchttp java/okhttp java/unirest node/axios node/ofetch node/undici php/guzzle php/laravel ' +
  'python/aiohttp python/httpx_async python/httpx_sync python/python3 shell/httpie shell/wget'

Scalar.createApiReference(place, {
  url: place.dataset.document,
  // The document names the service's own address; this page may have been reached by another.
  servers: [{ url: location.origin }],
  localization: {
    locale: 'pt',
    // Its own does not fit beside its heading.
    translations: { apiClient: { authSelector: { selectedType: '{type}' } } },
  },
  theme: 'none',
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  persistAuth: false,
  hiddenClients: HIDDEN_CLIENTS.split(' '),
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideModels: true,
  generateOperationSlug: (/** @type {{ operationId?: string, path: string }} */ one) =>
    one.operationId ?? one.path,
  authentication: { preferredSecurityScheme: 'apiKey' },
})
