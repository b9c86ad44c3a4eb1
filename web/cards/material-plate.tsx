import { BatteryFull, Cog, Package, Recycle, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { materialInWords } from '#web/cards/words.ts'

type Pattern = 'sections' | 'coil' | 'sheet' | 'ingots'
type Mark = { sign: string | LucideIcon; pattern: Pattern }

/** By material group: its sign, and the way it is stacked in a yard. */
const marks: Record<string, Mark> = {
  Ferrous: { sign: 'Fe', pattern: 'sections' },
  Copper: { sign: 'Cu', pattern: 'coil' },
  Brass: { sign: 'CuZn', pattern: 'coil' },
  Aluminium: { sign: 'Al', pattern: 'sheet' },
  Lead: { sign: 'Pb', pattern: 'ingots' },
  Zinc: { sign: 'Zn', pattern: 'ingots' },
  Stainless: { sign: 'FeCr', pattern: 'sheet' },
  Motors: { sign: Cog, pattern: 'coil' },
  Batteries: { sign: BatteryFull, pattern: 'ingots' },
  'Catalytic converters': { sign: 'Pt', pattern: 'sections' },
  'Mixed and WEEE': { sign: Recycle, pattern: 'sections' },
  Goods: { sign: Package, pattern: 'sheet' },
}
const unknown: Mark = { sign: Package, pattern: 'sheet' }

const patterns: Record<Pattern, string> = {
  sections: 'M-4 12H84M-4 18H84M-4 30H84M-4 36H84M-4 48H84M-4 54H84',
  coil: 'M40 30m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M40 30m-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0M40 30m-26 0a26 26 0 1 0 52 0a26 26 0 1 0-52 0M40 30m-35 0a35 35 0 1 0 70 0a35 35 0 1 0-70 0M40 30m-44 0a44 44 0 1 0 88 0a44 44 0 1 0-88 0',
  sheet: 'M-10 70L70-10M2 82L90-6M-22 58L58-22M14 94L102 6M-34 46L46-34M26 106L114 18',
  ingots: 'M0 15H80M0 30H80M0 45H80M20 0V15M60 0V15M0 15V30M40 15V30M80 15V30M20 30V45M60 30V45M40 45V60',
}

type Props = { material: Listing['material']; className?: string; children?: ReactNode }

/** Stands where the photo goes, 4:3, with the material on it. A photo covers its pattern. */
export function MaterialPlate({ material, className = '', children }: Props) {
  const { sign, pattern } = marks[material.group] ?? unknown
  const Sign = sign
  return (
    <div className={`relative aspect-4/3 overflow-hidden bg-sunken ${className}`}>
      <svg viewBox="0 0 80 60" preserveAspectRatio="xMidYMid slice" className="absolute inset-0 size-full" aria-hidden="true">
        <path d={patterns[pattern]} fill="none" className="stroke-line" strokeWidth="0.6" />
        <circle cx="40" cy="28" r="15" className="fill-sunken" />
        {typeof Sign === 'string' ? (
          <text
            x="40"
            y="29"
            textAnchor="middle"
            dominantBaseline="central"
            className="tabular fill-control font-strong"
            fontSize={Sign.length > 2 ? 13 : 20}
          >
            {Sign}
          </text>
        ) : (
          <Sign x="30" y="18" width="20" height="20" className="text-control" strokeWidth={1.5} />
        )}
      </svg>
      {children}
      <span className="absolute bottom-0 left-0 line-clamp-2 max-w-full rounded-tr-base bg-surface px-2 py-1 text-12 font-strong">
        {materialInWords(material)}
      </span>
    </div>
  )
}
