import { serverNow } from '../../../api/clock.ts';
import { Banner } from '../../../components/banner/Banner.tsx';
import { Tags } from '../../../components/chip/Chip.tsx';
import { day } from '../../../format/time.ts';
import type { Token } from './connection.ts';
import * as texts from './texts.ts';

/** Time before the end of a token at which the console warns, milliseconds. */
const SOON_MS = 14 * 24 * 3_600_000;

/** Names and values of a token, for `Facts`. */
export function tokenFacts(token: Token | null | undefined) {
  if (!token) return [];
  const { 'service-provider-user': account, 'expires-at': end, scopes } = token.attributes;
  return [
    [texts.account, account ? <bdi key="account">{account}</bdi> : texts.notStated],
    [texts.tokenExpires, end ? day(end) : texts.notStated],
    [texts.scopesOfTheToken, scopes.length > 0 ? <Tags key="scopes" names={scopes} /> : texts.notReported],
  ] as const;
}

/** Warns of scopes that are too wide. A token that is renewed by a sign-in expires often, which is no warning. */
export function TokenWarnings({ token, isRenewed = false }: { token: Token | null | undefined; isRenewed?: boolean }) {
  if (!token) return null;
  const { 'excess-scopes': excess, 'expires-at': end } = token.attributes;
  const left = end === null || isRenewed ? Number.POSITIVE_INFINITY : Date.parse(end) - serverNow();
  return (
    <>
      {excess.length > 0 && (
        <Banner is="attention" icon="warn">
          {texts.scopesAreTooWide(excess.join(', '))}
        </Banner>
      )}
      {end && left < SOON_MS && (
        <Banner is={left < 0 ? 'bad' : 'attention'} icon="warn">
          {left < 0 ? texts.expiredOn(day(end)) : texts.expiresSoon(day(end))}
        </Banner>
      )}
    </>
  );
}
