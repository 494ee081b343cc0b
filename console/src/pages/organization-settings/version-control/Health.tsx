import { useChange } from '../../../api/change.ts';
import type { Resources } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { State } from '../../../components/state/State.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import * as texts from './texts.ts';

type Attributes = Pick<
  Resources['oauth-clients']['attributes'],
  'connection-status' | 'connection-status-reason' | 'connection-status-since' | 'connection-checked-at'
>;
type Status = Attributes['connection-status'];

const SIGNS = {
  ok: { icon: 'ok', is: 'good', label: texts.works },
  refused: { icon: 'err', is: 'bad', label: texts.refused },
  unreachable: { icon: 'warn', is: 'attention', label: texts.unreachable },
  unverified: { icon: 'queued', is: 'idle', label: texts.notChecked },
} as const satisfies Readonly<Record<Status, object>>;

/** Health of a connection in one word. */
function HealthState({ status }: { readonly status: Status }) {
  const { icon, is, label } = SIGNS[status];
  return (
    <State icon={icon} is={is}>
      {label}
    </State>
  );
}

/** Health of a connection, and since when. */
export function Health({ attributes }: { readonly attributes: Attributes }) {
  const since = attributes['connection-status-since'];
  return (
    <>
      <HealthState status={attributes['connection-status']} />
      {since && (
        <span className="soft">
          {' '}
          {texts.since} <Ago time={since} inWords /> {texts.ago}
        </span>
      )}
    </>
  );
}

/** Names and values of a connection's health, for `Facts`. */
export const healthFacts = (attributes: Attributes) =>
  [
    [texts.health, <Health key="health" attributes={attributes} />],
    [texts.reason, attributes['connection-status-reason']],
    [
      texts.checked,
      attributes['connection-checked-at'] ? (
        <span key="checked">
          <Ago time={attributes['connection-checked-at']} inWords /> {texts.ago}
        </span>
      ) : (
        texts.never
      ),
    ],
  ] as const;

/** Checks a connection at the provider now. The result replaces the shown health. */
export function CheckNow({
  run,
}: {
  readonly run: () => Promise<{ readonly data: { readonly attributes: Attributes } }>;
}) {
  const check = useChange(run, ({ data }) =>
    announce(texts.checkedNow(SIGNS[data.attributes['connection-status']].label)),
  );
  return (
    <>
      <Button onClick={() => check.mutate()} off={check.isPending && texts.checkNow}>
        {check.isPending ? `${texts.checkNow}…` : texts.checkNow}
      </Button>
      {check.error && <span role="alert">{check.error.message}</span>}
    </>
  );
}
