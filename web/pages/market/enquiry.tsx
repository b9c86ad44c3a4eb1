import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { EnquiryView } from '#web/features/market/deal/enquiry-view.tsx'
import { Report } from '#web/features/market/deal/safety.tsx'
import { BackToMarket } from '#web/pages/market/back-to-market.tsx'

const ReportForm = lazy(() => import('#web/features/chat/report-form.tsx'))

export default function EnquiryPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <EnquiryView
      key={id}
      id={id}
      back={<BackToMarket to="market" label="Market" />}
      report={(enquiry) => (
        <Report about={{ type: 'enquiry', id: enquiry.id }} name={enquiry.poster.company_name} ReportForm={ReportForm} />
      )}
    />
  )
}
