import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/error.ts';
import { Button, buttonClass } from '../components/button/Button.tsx';
import { Dialog } from '../components/dialog/Dialog.tsx';
import dialog from '../components/dialog/dialog.module.css';
import type { Session } from '../session/session.ts';
import * as texts from './texts.ts';

/** Error codes for an action that needs a recent sign-in: at the provider, or on the sign-in page. */
const CODES = ['sign-in-again', 'sign-in-page'];

/** Asks the user to sign in again when the server returns an error that needs it. */
export function SignInAgain({ session }: { readonly session: Session }) {
  const [code, setCode] = useState('');
  const mutations = useQueryClient().getMutationCache();
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (error instanceof ApiError && CODES.includes(error.code)) setCode(error.code);
      }),
    [mutations],
  );
  const { href } = useLocation();
  const close = () => setCode('');
  const { provider } = session.offers;
  if (code === 'sign-in-page') {
    return (
      <Dialog title={texts.confirmYourIdentity} onClose={close}>
        <p>{texts.signInOnThePage}</p>
        <div className={dialog.actions}>
          <Button onClick={close}>{texts.cancel}</Button>
          <Link className={buttonClass('primary')} to="/~sign-in" search={{ to: href, side: 'workspaces' }}>
            {texts.signInAgain}
          </Link>
        </div>
      </Dialog>
    );
  }
  if (code === '' || !provider) return null;
  const query = new URLSearchParams({ to: href, again: '1' });
  return (
    <Dialog title={texts.confirmYourIdentity} onClose={close}>
      <p>{texts.signInAgainHint(provider.name)}</p>
      <div className={dialog.actions}>
        <Button onClick={close}>{texts.cancel}</Button>
        <a className={buttonClass('primary')} href={`${provider.address}?${query}`}>
          {texts.continueWith(provider.name)}
        </a>
      </div>
    </Dialog>
  );
}
