import { useParams } from '@tanstack/react-router'
import { ConversationView } from '#web/features/market/deal/conversation.tsx'
import { BackToMarket } from '#web/pages/market/back-to-market.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const ReportForm = lazyPart(() => import('#web/features/chat/report-form.tsx'))

export default function ConversationPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <div className="h-[calc(100dvh-10rem)] min-h-96 md:h-[calc(100dvh-8rem)]">
      <ConversationView
        key={id}
        id={id}
        back={<BackToMarket to="market-conversations" label="Conversations" isInLine />}
        ReportForm={ReportForm}
      />
    </div>
  )
}
