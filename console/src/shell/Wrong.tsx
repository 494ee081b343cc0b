import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/error.ts';
import { Button, buttonClass } from '../components/button/Button.tsx';
import { Empty, Fault } from '../components/page-states/PageStates.tsx';
import { usePlace } from './page.ts';
import * as texts from './texts.ts';

const RELOADED = 'reloaded-at';
/** Minimum time between two automatic reloads, milliseconds. Prevents a reload loop if a module stays missing. */
const AGAIN_AFTER_MS = 60_000;

/** Error page for a failure before a page can render. */
export function Broken({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const router = useRouter();
  // Each browser words a failed module import differently.
  const isOutdated = /dynamically imported module|module script/i.test(error.message);
  useEffect(() => {
    if (isOutdated) reloadOnce();
  }, [isOutdated]);
  const fault = error instanceof ApiError ? error : new ApiError(0, error.message, '');
  return <Fault what={texts.thePage} error={fault} onRetry={() => void router.invalidate()} isPage />;
}

/** Reloads the page after a server upgrade: an open page refers to modules that no longer exist. */
function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < AGAIN_AFTER_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

/** Page for an unknown URL. */
export function NoSuchPlace() {
  usePlace([{ label: texts.pageNotFound }]);
  return (
    <Empty
      isPage
      title={texts.pageNotFound}
      action={
        <Link className={buttonClass('primary')} to="/">
          {texts.goToTheStartPage}
        </Link>
      }
    >
      {texts.theUrlMayBe}{' '}
      <Button look="small" onClick={() => history.back()}>
        {texts.goBack}
      </Button>
    </Empty>
  );
}
