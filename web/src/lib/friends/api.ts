import { change, get, post, renaming, write } from '../net/api'
import type { CalendarAddress, Contact, Invitation, OwnCalendar, OwnHolidays, TableInfo } from '../net/protocol'

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
  calendar: () => get<OwnCalendar>('/calendar'),
  makeCalendarAddress: () => post<CalendarAddress>('/calendar/address', {}),
  endCalendarAddress: () => write('DELETE', '/calendar/address'),
  holidays: () => get<OwnHolidays>('/holidays'),
  beAway: (first: string, last: string) => change<OwnHolidays>('/holidays', { first, last }),
  endHoliday: (first: string) => change<OwnHolidays>('/holidays/end', { first }),
  decline: (table: string) => write('POST', '/invitations/decline', { table }),
}
