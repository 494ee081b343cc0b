import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/error.ts';
import { Button, buttonClass } from '../components/button/Button.tsx';
import { Empty, Fault } from '../components/faces/Faces.tsx';
import { usePlace } from './page.ts';

const RELOADED = 'reloaded-at';
/** Once for each upgrade: a page that is still not there then is missing for another reason, milliseconds. */
const AGAIN_AFTER_MS = 60_000;

/** Something went wrong before a page could be shown. */
export function Broken({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const router = useRouter();
  // An upgrade says so in other words in each browser.
  const isOutdated = /dynamically imported module|module script/i.test(error.message);
  useEffect(() => {
    if (isOutdated) reloadOnce();
  }, [isOutdated]);
  const fault = error instanceof ApiError ? error : new ApiError(0, error.message, '');
  return <Fault what="The page" error={fault} onRetry={() => void router.invalidate()} isPage />;
}

/** The server has been upgraded under an open page: what the page still wants is not there any more. */
function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < AGAIN_AFTER_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

/** An address that leads nowhere. */
export function NoSuchPlace() {
  usePlace([{ label: 'Nothing here' }]);
  return (
    <Empty
      isPage
      title="There is no such page"
      action={
        <Link className={buttonClass('primary')} to="/">
          To the beginning
        </Link>
      }
    >
      The address may be mistyped, or of another version of the server.{' '}
      <Button look="small" onClick={() => history.back()}>
        Back
      </Button>
    </Empty>
  );
}
