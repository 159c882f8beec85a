/** Names of the places of a game by their ids; filled by the scene. */
export class Places {
  names = $state.raw<Record<string, string>>({})
  /** The fuels of a board game, in the order of its events. */
  fuels = $state.raw<string[]>([])
  name = (id: string): string => this.names[id] ?? id
  /** The name of a card, if it has one besides its number. */
  card = (id: string): string => this.names[`card ${id}`] ?? id
}
