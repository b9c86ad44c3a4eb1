import { permissionsOf, type Tier } from '#contract/values/permissions.ts'

export type ChatFacts = {
  sender: { tier: Tier; isOnboarded: boolean; isEmailConfirmed: boolean }
  recipient: { tier: Tier; hasLeft: boolean; isSuspended: boolean; isSeller: boolean }
  /** Whether somebody has written already: permissions govern opening a thread, whoever takes part may answer (RULES §1). */
  isOpen: boolean
  blocked: { bySender: boolean; byRecipient: boolean }
}

export type ChatRefusal = { kind: 'forbidden' | 'conflict'; code: string; message: string }

type Rule = {
  applies: (facts: ChatFacts) => boolean
  kind: ChatRefusal['kind']
  code: string
  says: (facts: ChatFacts) => string
}

/** The first that applies is what the sender is told. */
const rules: readonly Rule[] = [
  {
    applies: ({ recipient }) => recipient.hasLeft,
    kind: 'conflict',
    code: 'recipient_left',
    says: () => 'This member has left Yardbid. Nobody would read your message.',
  },
  {
    applies: ({ blocked }) => blocked.bySender,
    kind: 'conflict',
    code: 'blocked_by_you',
    says: () => 'You blocked this member. Unblock them to write.',
  },
  {
    // the blocked person is not told of the block
    applies: ({ blocked, recipient }) => blocked.byRecipient || recipient.isSuspended,
    kind: 'conflict',
    code: 'cannot_be_delivered',
    says: () => 'Messages to this member cannot be delivered.',
  },
  {
    applies: ({ isOpen, sender }) => !isOpen && !sender.isOnboarded,
    kind: 'forbidden',
    code: 'onboarding_unfinished',
    says: () => 'Finish setting up your account first. Then you can write to other merchants.',
  },
  {
    applies: ({ isOpen, sender }) => !isOpen && !sender.isEmailConfirmed,
    kind: 'forbidden',
    code: 'email_not_confirmed',
    says: () => 'Confirm your email address first: we sent you a link. Then you can write to other merchants.',
  },
  {
    applies: ({ isOpen, sender }) => !isOpen && !permissionsOf(sender.tier).auction_send_m2m_chat.enabled,
    kind: 'forbidden',
    code: 'permission_missing',
    says: () =>
      'Your plan does not include opening a chat (auction_send_m2m_chat). You can answer merchants who write to you. Change your plan under Account, Subscriptions.',
  },
  {
    applies: ({ isOpen, recipient }) => !isOpen && !permissionsOf(recipient.tier).auction_receive_m2m_chat.enabled,
    kind: 'forbidden',
    code: 'takes_no_messages',
    says: ({ recipient }) => (recipient.isSeller ? 'This seller takes no messages.' : 'This member takes no messages.'),
  },
]

export function whyNotSend(facts: ChatFacts): ChatRefusal | undefined {
  const rule = rules.find(({ applies }) => applies(facts))
  return rule && { kind: rule.kind, code: rule.code, message: rule.says(facts) }
}
