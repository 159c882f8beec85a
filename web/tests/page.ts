/** What modules read of the page when they are loaded; the tests here run in Node. */
Object.assign(globalThis, {
  window: globalThis,
  document: {
    querySelector: () => null,
    addEventListener: () => {},
    removeEventListener: () => {},
    documentElement: { dataset: {} },
    hidden: false,
  },
  matchMedia: () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
  innerWidth: 900,
  innerHeight: 600,
  location: new URL('http://localhost/'),
  localStorage: { getItem: () => null, setItem: () => {} },
  addEventListener: () => {},
})
