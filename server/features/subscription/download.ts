import type { FastifyInstance } from 'fastify'
import { INVOICE_DOWNLOAD } from '#contract/payments.ts'
import type { InvoiceDeps } from '#server/features/subscription/invoices.ts'
import { notFound } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'
import { look, providerIsAway, type Payment } from '#server/providers/payment.ts'

const FETCH_WITHIN_MS = 10_000

/** The PDF of an own invoice, through our own path: the provider's address of it is a key that anybody could use. */
export function downloadRoute(app: FastifyInstance, { db, provider }: InvoiceDeps): void {
  app.get<{ Params: { id: string } }>(
    INVOICE_DOWNLOAD.replace('{id}', ':id'),
    { config: { access: 'member' }, schema: { summary: "An invoice's PDF", tags: ['stripe'] } },
    async ({ params, viewer }, reply) => {
      const row = isUuid(params.id)
        ? await db
            .selectFrom('subscription_invoices')
            .select(['provider_id', 'number'])
            .where('id', '=', params.id)
            .where('user_id', '=', viewer.user?.id ?? '')
            .executeTakeFirst()
        : undefined
      if (!row) throw notFound()
      const invoice = await look(provider.stripe.invoices.retrieve(row.provider_id))
      const address = invoice?.invoice_pdf && addressOf(invoice.invoice_pdf, provider.payment)
      if (!address) throw notFound()
      const file = await fetch(address, { signal: AbortSignal.timeout(FETCH_WITHIN_MS) }).catch(() => undefined)
      if (!file?.ok) throw providerIsAway()
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${row.number.replace(/[^\w.-]/g, '_')}.pdf"`,
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .send(Buffer.from(await file.arrayBuffer()))
    },
  )
}

/** Nothing else is fetched, whatever an answer says. The sandbox's own files are where this process reaches it, on whatever port it was before. */
function addressOf(url: string, { speakTo }: Payment): string | undefined {
  const { hostname, protocol, pathname, search } = new URL(url)
  if (speakTo) return `${speakTo}${pathname}${search}`
  return protocol === 'https:' && hostname.endsWith('.stripe.com') ? url : undefined
}
