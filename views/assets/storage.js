// The reference's page is of no origin and may keep nothing. Its library takes for granted that it may: what it keeps is
// here, and gone with the page.
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    get length() {
      return kept.size
    },
    key: (/** @type {number} */ i) => [...kept.keys()][i] ?? null,
    getItem: (/** @type {string} */ key) => kept.get(String(key)) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
      void kept.set(String(key), String(value)),
    removeItem: (/** @type {string} */ key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  }
  Object.defineProperty(window, name, { value: storage })
}
