/** The current route: the path of the address. */

class Route {
  path = $state(location.pathname)
  query = $state(location.search)

  constructor() {
    addEventListener('popstate', () => this.read())
  }

  read() {
    this.path = location.pathname
    this.query = location.search
  }
}

export const route = new Route()

export function go(path: string, how: 'pushState' | 'replaceState' = 'pushState') {
  history[how](null, '', path)
  route.read()
  scrollTo(0, 0)
}

/** Handles links without reloading the page. */
export function follow(event: MouseEvent) {
  const link = (event.target as Element | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
  const outside = link.origin !== location.origin || link.target || link.hasAttribute('download')
  if (outside || link.pathname.startsWith('/api')) return
  event.preventDefault()
  go(link.pathname + link.search)
}
