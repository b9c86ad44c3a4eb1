// What other features may use of chat: the blocks between users.
export { findBlocks, isBlocked, lockBlocks } from '#server/features/chat/blocks.ts'
