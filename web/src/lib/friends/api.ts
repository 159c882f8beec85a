import { change, get, renaming, write } from '../net/api'
import type { Contact, Invitation, TableInfo } from '../net/protocol'

export const friendsApi = {
  /** All whom I follow or block. */
  contacts: () => get<Contact[]>('/contacts'),
  choose: (handle: string, kind: Contact['kind'] | null) => change<Contact[]>('/contacts', { handle, kind }),
  /** Tables to which others have invited me. */
  invitations: () => get<Invitation[]>('/invitations'),
  invite: (table: string, handle: string) => write('POST', '/invitations', { table, handle }),
  accept: async (table: string) => {
    await renaming
    return change<TableInfo>(`/tables/${table}/join`, { seat: null })
  },
  decline: (table: string) => write('POST', '/invitations/decline', { table }),
}
