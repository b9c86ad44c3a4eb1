import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { Mailer } from '#server/providers/mail.ts'

// A job that is run again after its e-mail went out, but before that was noted, sends it again: with the same Message-ID, by which
// mail servers and readers know it.

type RunningJob = { id: string; kind: string; payload: unknown }

const running = new AsyncLocalStorage<{ job: RunningJob; sent: number }>()

export const runAs = <T>(job: RunningJob, work: () => Promise<T>): Promise<T> => running.run({ job, sent: 0 }, work)

/** For what must not be done twice when a job is run again. */
export function runningJobId(): string {
  const id = running.getStore()?.job.id
  if (id === undefined) throw new Error('no job is running')
  return id
}

/** `domain` is where our links lead to. */
export const withMessageIds = (mailer: Mailer, domain: string): Mailer => ({
  async send(mail) {
    const current = running.getStore()
    await mailer.send(current ? { ...mail, messageId: messageId(current.job, ++current.sent, domain) } : mail)
  },
})

// not the id alone: a database that was restored counts on from an earlier one
const messageId = ({ id, kind, payload }: RunningJob, nth: number, domain: string) =>
  `<job-${hash('sha256', JSON.stringify([id, kind, payload, nth])).slice(0, 32)}@${domain}>`
