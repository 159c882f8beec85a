/** Names of the places of a game by their ids; the scene fills it in. */
export class Places {
  names = $state.raw<Record<string, string>>({})
  name = (id: string): string => this.names[id] ?? id
  /** What a card is called, where it has a name beside its number. */
  card = (id: string): string => this.names[`card ${id}`] ?? id
}
