/** Names of the places of a game by their ids; the scene fills it in. */
export class Places {
  names = $state.raw<Record<string, string>>({})
  name = (id: string): string => this.names[id] ?? id
}
