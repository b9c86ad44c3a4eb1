import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { EnquiryView } from '#web/features/market/deal/enquiry-view.tsx'
import { BackToMarket } from '#web/pages/market/back-to-market.tsx'

const ReportForm = lazy(() => import('#web/features/chat/report-form.tsx'))

export default function EnquiryPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <EnquiryView key={id} id={id} back={<BackToMarket to="market" label="Market" />} ReportForm={ReportForm} />
}
