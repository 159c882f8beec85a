import { change, get, renaming, write } from '../net/api'
import type { ClubBrief, ClubInfo, CupBrief, CupInfo, NewCup } from '../net/protocol'

export const cupApi = {
  /** Cups that I have made or play in. */
  mine: () => get<CupBrief[]>('/cups'),
  find: (id: string) => get<CupInfo>(`/cups/${id}`),
  make: (cup: NewCup) => change<CupInfo>('/cups', cup),
  /** Signs up, or comes back for the next round. */
  join: async (id: string) => {
    await renaming
    return change<CupInfo>(`/cups/${id}/join`)
  },
  leave: (id: string) => change<CupInfo>(`/cups/${id}/leave`),
  remove: (id: string, player: number) => change<CupInfo>(`/cups/${id}/remove`, { player }),
  beginRound: (id: string) => change<CupInfo>(`/cups/${id}/round`),
  end: (id: string) => change<CupInfo>(`/cups/${id}/end`),
  delete: (id: string) => write('DELETE', `/cups/${id}`),
}

export const clubApi = {
  /** The clubs that I am in. */
  mine: () => get<ClubBrief[]>('/clubs'),
  find: (id: string) => get<ClubInfo>(`/clubs/${id}`),
  make: (name: string) => change<ClubInfo>('/clubs', { name }),
  join: async (id: string) => {
    await renaming
    return change<ClubInfo>(`/clubs/${id}/join`)
  },
  leave: (id: string) => change<ClubInfo>(`/clubs/${id}/leave`),
  remove: (id: string, member: number) => change<ClubInfo>(`/clubs/${id}/remove`, { member }),
  chat: (id: string, text: string) => change<ClubInfo>(`/clubs/${id}/chat`, { text }),
  removeLine: (id: string, n: number) => change<ClubInfo>(`/clubs/${id}/chat/remove`, { n }),
  delete: (id: string) => write('DELETE', `/clubs/${id}`),
}
