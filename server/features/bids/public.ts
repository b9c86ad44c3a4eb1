// What others may use of bids.
export { tellOutbid } from '#server/features/bids/outbids.ts'
