import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/layout.css'
import '../ui/components.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../data/api.js'
import { startLook } from '../data/look.js'
import { createConsoleRouter } from './router.js'

startLook()
const place = document.getElementById('console')
if (place === null) throw new Error('the page has no place for the console')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
