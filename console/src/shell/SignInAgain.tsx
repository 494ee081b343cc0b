import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/error.ts';
import { Button, buttonClass } from '../components/button/Button.tsx';
import { Dialog } from '../components/dialog/Dialog.tsx';
import dialog from '../components/dialog/dialog.module.css';
import type { Session } from '../session/session.ts';

/** Whoever wants what nobody undoes proves once more who they are, and comes back to where they were. */
export function SignInAgain({ session }: { readonly session: Session }) {
  const [isOpen, setOpen] = useState(false);
  const mutations = useQueryClient().getMutationCache();
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (error instanceof ApiError && error.code === 'sign-in-again') setOpen(true);
      }),
    [mutations],
  );
  const { href } = useLocation();
  const { provider } = session.offers;
  if (!isOpen || !provider) return null;
  const query = new URLSearchParams({ to: href, again: '1' });
  return (
    <Dialog title="Is it still you?" onClose={() => setOpen(false)}>
      <p>
        What you are about to do cannot be undone, or goes on when your session is over, and it is a while since you
        proved who you are. Sign in with {provider.name} once more; you come back to this page, and nothing was done
        yet.
      </p>
      <div className={dialog.actions}>
        <Button onClick={() => setOpen(false)}>Cancel</Button>
        <a className={buttonClass('primary')} href={`${provider.address}?${query}`}>
          Continue with {provider.name}
        </a>
      </div>
    </Dialog>
  );
}
