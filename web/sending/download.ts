import { fetchFile } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'

/** Saves a file of ours under a name; a failure is said, with a way to try again. */
export function useDownload() {
  const { isBusy, run } = useOneAtATime()
  const download = (path: string, name: string): Promise<void> =>
    run(async () => {
      try {
        save(await fetchFile(path), name)
      } catch (error) {
        sayError(error, () => void download(path, name))
      }
    })
  return { isBusy, download }
}

function save(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
