// What other features may use of search.
export { districtOf, spotOfPostCode } from '#server/features/search/districts.ts'
export { searchOf } from '#server/features/search/filter.ts'
export { textQuery } from '#server/features/search/search-sql.ts'
