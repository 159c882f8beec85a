/** What scrolls shows at which edges it goes on: `data-more` names them, and app.css lets it fade there. */
export function scrollCue(element: HTMLElement): () => void {
  const look = () => {
    const { scrollTop, scrollLeft, clientWidth, clientHeight, scrollWidth, scrollHeight } = element
    const edges = {
      up: scrollTop,
      down: scrollHeight - clientHeight - scrollTop,
      left: scrollLeft,
      right: scrollWidth - clientWidth - scrollLeft,
    }
    const more = Object.entries(edges).flatMap(([edge, hidden]) => (hidden > 4 ? [edge] : []))
    if (more.length) element.dataset.more = more.join(' ')
    else delete element.dataset.more
  }
  const sizes = new ResizeObserver(look)
  const watch = () => {
    sizes.disconnect()
    for (const each of [element, ...element.children]) sizes.observe(each)
  }
  const content = new MutationObserver(watch)
  content.observe(element, { childList: true })
  element.addEventListener('scroll', look, { passive: true })
  watch()
  return () => {
    sizes.disconnect()
    content.disconnect()
    element.removeEventListener('scroll', look)
    delete element.dataset.more
  }
}
