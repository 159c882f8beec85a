import { m } from '../../paraglide/messages.js'

/** The title and the icon of the tab show when it is my turn. */
export function announceTurn(mine: boolean) {
  document.title = mine ? m.title_your_turn() : m.title()
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const wanted = mine ? '/favicon-turn.svg' : '/favicon.svg'
  if (icon && !icon.href.endsWith(wanted)) icon.href = wanted
}
