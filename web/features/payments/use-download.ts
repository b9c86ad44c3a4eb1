import { ApiError } from '#web/api-error.ts'
import { useOnce } from '#web/features/payments/use-once.ts'
import { sayError } from '#web/notices.ts'

// contract/payments.ts INVOICE_DOWNLOAD, without the schemas that stand beside it
const pathOf = (id: string) => `/api/v1/stripe/subscription/invoices/${encodeURIComponent(id)}/download`

/** Fetches a file before it is saved: a download that fails would otherwise save what the server said about it. */
export function useDownload() {
  const { isBusy, once } = useOnce()
  const download = (id: string, name: string): Promise<void> =>
    once(async () => {
      try {
        save(await fetchFile(id), name)
      } catch (error) {
        sayError(error, () => void download(id, name))
      }
    })
  return { isBusy, download }
}

async function fetchFile(id: string): Promise<Blob> {
  const response = await fetch(pathOf(id), { credentials: 'include' }).catch(() => undefined)
  if (response?.ok) return response.blob()
  const answer = (await response?.json().catch(() => ({}))) as { message?: string } | undefined
  const message = answer?.message ?? 'The invoice could not be fetched. Try again in a moment.'
  throw new ApiError({ status: response?.status ?? 0, code: 'not_downloaded', message })
}

function save(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
