import { useParams } from '@tanstack/react-router'
import { EnquiryView } from '#web/features/market/deal/enquiry-view.tsx'
import { BackToMarket } from '#web/pages/market/back-to-market.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const ReportForm = lazyPart(() => import('#web/features/chat/report-form.tsx'))

export default function EnquiryPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <EnquiryView key={id} id={id} back={<BackToMarket to="market" label="Market" />} ReportForm={ReportForm} />
}
