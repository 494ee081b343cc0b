import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/error.ts';
import { Button, buttonClass } from '../components/button/Button.tsx';
import { Dialog } from '../components/dialog/Dialog.tsx';
import dialog from '../components/dialog/dialog.module.css';
import type { Session } from '../session/session.ts';
import * as texts from './texts.ts';

/** Asks the user to sign in with the provider again when the server returns the error `sign-in-again`. */
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
    <Dialog title={texts.confirmYourIdentity} onClose={() => setOpen(false)}>
      <p>{texts.signInAgainHint(provider.name)}</p>
      <div className={dialog.actions}>
        <Button onClick={() => setOpen(false)}>{texts.cancel}</Button>
        <a className={buttonClass('primary')} href={`${provider.address}?${query}`}>
          {texts.continueWith(provider.name)}
        </a>
      </div>
    </Dialog>
  );
}
