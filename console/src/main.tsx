import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './api/queries.ts';
import { consoleRouter } from './router.tsx';
import { isOpen, sessionQuery } from './session/session.ts';

const queries = createQueries(() => void leaveIfEnded());
const router = consoleRouter(queries);
let isAsking = false;

/** Checks the session after a refused request. If it has expired, opens the sign-in page, which leads back afterwards. */
async function leaveIfEnded(): Promise<void> {
  if (isAsking || router.state.location.pathname === '/~sign-in') return;
  isAsking = true;
  try {
    const before = queries.getQueryData(sessionQuery.queryKey);
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (isOpen(before) && !isOpen(session)) {
      await router.navigate({ to: '/~sign-in', search: { to: router.state.location.href, ended: 'yes' } });
    }
  } finally {
    isAsking = false;
  }
}

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
