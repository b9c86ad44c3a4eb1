import { LegalPage } from '#web/pages/about/legal-page.tsx'

const parts = [
  [
    'What we hold',
    'Your name, date of birth, email, contact number, company, VAT number and addresses; what you list, bid, pay and write on Yardbid; and the documents that the law asks of scrap dealers.',
  ],
  ['Why', 'To run your account and your trades, to meet the Scrap Metal Dealers Act 2013 and tax law, and to keep fraud out.'],
  [
    'Who sees it',
    'The other party of a trade sees your company, and your address once it is paid. Stripe handles payments and checks who you are. We sell nothing to anybody.',
  ],
  [
    'How long',
    'A deleted account can be restored for a limited time, then it is gone. Records of trades are kept for as long as the law asks.',
  ],
  [
    'On your device',
    'A cookie that keeps you logged in, one that guards your forms, and your choice of theme. No cookies for advertising.',
  ],
  [
    'Your rights',
    'See, correct and delete what we hold under Account. If we do not put something right, you can complain to the Information Commissioner’s Office.',
  ],
] as const

export default function PrivacyPage() {
  return <LegalPage title="Privacy policy" which="privacy_url" parts={parts} />
}
