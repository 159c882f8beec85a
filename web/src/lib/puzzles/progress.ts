/** The results of puzzles, stored in the browser. A puzzle once solved stays solved. */

const KEY = 'hv-puzzles'

export type Mark = 'solved' | 'shown'

export function progress(): Record<string, Mark> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Mark>
  } catch {
    return {}
  }
}

export function storeMark(name: string, mark: Mark) {
  const known = progress()
  if (known[name]) return
  localStorage.setItem(KEY, JSON.stringify({ ...known, [name]: mark }))
}
