/** Where there is room, the rows of a list share their columns: the widest price and the longest button set them, and none is empty. */
export const rowGrid = {
  list: '@5xl:grid @5xl:grid-cols-[6.5rem_minmax(0,1fr)_auto_auto_auto] @5xl:gap-x-6',
  item: '@5xl:col-span-full @5xl:grid @5xl:grid-cols-subgrid',
} as const
