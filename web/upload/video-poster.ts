import { VIDEO_POSTER } from '#contract/values/limits.ts'

// a browser that has no decoder says so at once; one that never answers must not hold up the upload
const PATIENCE_MS = 10_000

/** SPEC §9: a frame of a video as a JPEG; nothing where this browser cannot decode it. */
export async function posterOf(file: File): Promise<File | undefined> {
  const address = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    return await Promise.race([drawFrame(video, address), tooLong()])
  } catch {
    // whatever is wrong with it here, the server looks at the video itself
    return undefined
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(address)
  }
}

async function drawFrame(video: HTMLVideoElement, address: string): Promise<File | undefined> {
  const { interval, scale, quality } = VIDEO_POSTER
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  const opened = once(video, 'loadeddata')
  video.src = address
  await opened
  // a shorter one shows its beginning
  if (video.duration > interval) {
    const there = once(video, 'seeked')
    video.currentTime = interval
    await there
  }
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  await drawWhenThere(video, canvas)
  const frame = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  return frame ? new File([frame], 'poster.jpg', { type: 'image/jpeg' }) : undefined
}

/** A busy browser tells of a frame before it can be drawn: until then nothing is, and the poster would be black. */
async function drawWhenThere(video: HTMLVideoElement, canvas: HTMLCanvasElement): Promise<void> {
  const drawing = canvas.getContext('2d')
  const isDrawn = () => drawing?.getImageData(0, 0, 1, 1).data[3] !== 0
  drawing?.drawImage(video, 0, 0, canvas.width, canvas.height)
  // its source is taken away when nobody waits any more
  while (!isDrawn() && video.hasAttribute('src')) {
    await new Promise(requestAnimationFrame)
    drawing?.drawImage(video, 0, 0, canvas.width, canvas.height)
  }
}

const once = (video: HTMLVideoElement, event: 'loadeddata' | 'seeked') =>
  new Promise<void>((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true })
  })

const tooLong = () => new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
