// `npm run gallery`: every view in every state, to be looked at. Nothing of it is part of the program.
import fastify from 'fastify'
import { serveAssets } from '../../src/http/assets/serve.ts'
import { ALL_FIXTURES, type Fixture } from './fixtures/all.ts'
import { createRenderer } from './render.ts'

const PORT = 4100

export async function openGallery() {
  const app = fastify()
  const asset = serveAssets(app)
  const addresses = ALL_FIXTURES.map((fixture) => ({ ...fixture, path: pathOf(fixture) }))

  app.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(drawIndex(addresses, asset)),
  )
  for (const fixture of addresses) {
    app.get(fixture.path, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(draw(fixture, asset)),
    )
  }
  return app
}

/** As it stands on disk by now: a view that is being written shows when the page is loaded again. */
function draw({ view, state, model }: Fixture, asset: (file: string) => string) {
  const html = createRenderer().render({ view, state, model: { ...model, asset } })
  return html.includes('<html') ? html : drawPart(html, asset)
}

/** A part that is also fetched alone stands on a page of the dashboard's. */
function drawPart(html: string, asset: (file: string) => string) {
  return `<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8"><title>Parte</title>
<link rel="stylesheet" href="${asset('base.css')}">
<link rel="stylesheet" href="${asset('dashboard.css')}"></head>
<body class="dashboard"><div class="frame"><div class="content"><main><div class="card">${html}</div>
</main></div></div></body></html>`
}

function pathOf({ view, state }: Fixture) {
  return `/${view}/${state.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

function drawIndex(
  addresses: { view: string; state: string; path: string }[],
  asset: (file: string) => string,
) {
  const views = Map.groupBy(addresses, ({ view }) => view)
  const rows = [...views].map(
    ([view, states]) =>
      `<h2>${view}</h2><ul>${states
        .map(({ state, path }) => `<li><a href="${path}">${state}</a></li>`)
        .join('')}</ul>`,
  )
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title>
<link rel="stylesheet" href="${asset('docs.css')}"></head>
<body><main class="prose"><h1>Every view in every state</h1>${rows.join('\n')}</main></body></html>`
}

if (import.meta.main) {
  const app = await openGallery()
  process.stdout.write(`${await app.listen({ port: PORT })}\n`)
}
