import { useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Chat } from '#web/features/chat/chat.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

/** As high as the screen between the bars: the messages scroll, what is typed stays in view. */
const phone = '-my-6 h-[calc(100dvh-4rem-3.75rem-env(safe-area-inset-bottom))] py-3 md:-my-8 md:h-[calc(100dvh-4rem)]'
const wide = 'h-[calc(100dvh-4rem)] py-6'

export default function ChatPage() {
  const { id = '', user_id = '' } = useParams({ strict: false }) as { id?: string; user_id?: string }
  const isWide = useIsWide()
  const back = !isWide && (
    <PlaceLink to="messages" aria-label="All messages" className={buttonLook('quiet', '-ml-3 w-11 px-0!')}>
      <ArrowLeft className="size-5" aria-hidden="true" />
    </PlaceLink>
  )
  return (
    <article className={isWide ? wide : phone}>
      <Chat key={`${id} ${user_id}`} place={{ listingId: id, userId: user_id }} back={back} />
    </article>
  )
}
