import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchAppVersion } from '#web/api/app-version.ts'
import { queryClient } from '#web/api/query-client.ts'
import { router } from '#web/router.tsx'
import '#web/styles/main.css'

watchAppVersion()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
