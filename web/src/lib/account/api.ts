import { change, get, write } from '../net/api'
import type { MailChoice, MailInfo } from '../net/protocol'

export const accountApi = {
  mail: () => get<MailInfo>('/mail'),
  chooseMail: (choice: MailChoice) => change<MailInfo>('/mail', choice),
  endMail: () => change<MailInfo>('/mail/end'),
  confirmMail: (key: string) => write('POST', '/mail/confirm', { key }),
  endMailByKey: (key: string) => write('POST', `/mail/end/${encodeURIComponent(key)}`, {}),
}
