/** The current route: the path of the address, or of its fragment where a static host serves the page. */

/** A static host knows one address only, that of the page: the route is in its fragment. */
export const isStatic = document.querySelector<HTMLMetaElement>('meta[name=host]')?.content === 'static'
/** The address of the page's folder. */
export const folder = new URL(isStatic ? '.' : '/', location.href).href.replace(/#.*/, '')

/** How a link to a path of the page is written. */
export const link = (path: string) => (isStatic ? `#${path}` : path)
/** The whole address of a path, for another browser. */
export const addressOf = (path: string) => new URL(link(path), folder).href

class Route {
  path = $state('/')
  query = $state('')
  hash = $state('')

  constructor() {
    this.read()
    addEventListener('popstate', () => this.read())
  }

  read() {
    const { pathname, search } = isStatic ? inFragment() : location
    this.path = pathname
    this.query = search
    this.hash = location.hash
  }
}

function inFragment(): URL {
  return new URL(location.hash.startsWith('#/') ? location.hash.slice(1) : '/', location.origin)
}

export const route = new Route()

export function go(path: string, how: 'pushState' | 'replaceState' = 'pushState') {
  history[how](null, '', link(path))
  route.read()
  scrollTo(0, 0)
}

/** Handles links without reloading the page. */
export function follow(event: MouseEvent) {
  const link = (event.target as Element | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return
  const inside = isStatic ? link.hash.startsWith('#/') : !link.pathname.startsWith('/api')
  if (!inside) return
  event.preventDefault()
  go(isStatic ? link.hash.slice(1) : link.pathname + link.search)
}
