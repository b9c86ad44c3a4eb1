import { createHmac, timingSafeEqual } from 'node:crypto'
import { notificationKinds, type NotificationKind } from '#contract/values/notification-kinds.ts'
import { isUuid } from '#server/http/uuid.ts'

/** The link of an email that switches its kind off. It needs no login, never expires, and can do nothing else. */
export type UnsubscribeTokens = {
  tokenFor(userId: string, kind: NotificationKind): string
  read(token: string): { userId: string; kind: NotificationKind } | undefined
}

export function unsubscribeTokens(secret: string): UnsubscribeTokens {
  const sign = (text: string) => createHmac('sha256', secret).update(`unsubscribe ${text}`).digest('base64url')
  const tokenFor = (userId: string, kind: NotificationKind) => `${userId}.${kind}.${sign(`${userId}.${kind}`)}`
  return {
    tokenFor,
    read(token) {
      const [userId = '', name = ''] = token.split('.')
      const kind = notificationKinds.find((known) => known === name)
      if (!kind || !isUuid(userId)) return undefined
      return areEqual(token, tokenFor(userId, kind)) ? { userId, kind } : undefined
    },
  }
}

function areEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
