import nodemailer from 'nodemailer'
import { withContact } from '#domain/contact.ts'

export type Mail = { to: string; subject: string; text: string; html: string; messageId?: string; headers?: Record<string, string> }
export type Mailer = { send(mail: Mail): Promise<void> }

/** A slow mail server must not hold up the other jobs. */
const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 }

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = nodemailer.createTransport({ url, ...limits }, { from })
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
  }
}

/** Outside the sandbox without SMTP_URL: the job says so and is tried again, nothing is lost. */
export const noMailer: Mailer = {
  async send() {
    throw new Error('SMTP_URL is not set: this e-mail waits until it is')
  },
}

/** Whatever says 'contact us' says where. */
export const namingContact = (mailer: Mailer, supportEmail: string): Mailer => ({
  send: (mail) => mailer.send({ ...mail, text: withContact(mail.text, supportEmail), html: withContact(mail.html, supportEmail) }),
})
