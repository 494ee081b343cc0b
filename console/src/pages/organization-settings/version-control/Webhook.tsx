import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { Copyable } from '../../../components/copy/Copyable.tsx';
import { Facts } from '../../../components/facts/Facts.tsx';
import { Secret } from '../../../components/secret/Secret.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { HOOKS, type Repository } from './repository.ts';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

const RENEW = 'POST /vcs-repositories/{vcs_repository_id}/actions/renew-webhook-secret';

/** Says how the server learns of changes: the webhook that it made, one made by hand, or looks at intervals. */
export function Webhook({ repository }: { readonly repository: Repository }) {
  const { attributes } = repository;
  const state = attributes['webhook-state'];
  const last = attributes['last-delivery-at'];
  return (
    <Section title={texts.webhook} note={HOOKS[state]}>
      <p>{wordsOf(repository)}</p>
      <div className={styles.facts}>
        <Facts
          of={[
            [texts.lookedUp, last ? texts.everyTenMinutes : texts.everyMinute],
            [
              texts.lastDelivery,
              state !== 'none' &&
                (last ? (
                  <span key="last">
                    <Ago time={last} inWords /> {texts.ago}
                  </span>
                ) : (
                  texts.noDeliveryYet
                )),
            ],
            [texts.problem, attributes['webhook-problem']],
            [
              texts.webhookUrl,
              state === 'manual' && attributes['webhook-url'] && (
                <Copyable key="url" text={attributes['webhook-url']} what={texts.webhookUrl2} />
              ),
            ],
          ]}
        />
      </div>
      {(state === 'manual' || state === 'made') && <RenewSecret id={repository.id} isByHand={state === 'manual'} />}
    </Section>
  );
}

function wordsOf({ attributes, relationships }: Repository): string {
  switch (attributes['webhook-state']) {
    case 'made':
      return texts.madeHere;
    case 'wanted':
      return texts.willBeMade;
    case 'manual':
      return texts.byHand;
    case 'removed':
      return texts.noFollowers;
    case 'none':
      if (relationships['github-app-installation'].data) return texts.noHookOfApp;
      return attributes['looked-up-at'] === null ? texts.noLookYet : texts.noHookHere;
  }
}

/** Makes a new secret: shown once for a webhook made by hand, else sent to the provider. */
function RenewSecret({ id, isByHand }: { readonly id: string; readonly isByHand: boolean }) {
  const [secret, setSecret] = useState<string | null>(null);
  const renew = useChange(
    () => workspaces.send(RENEW, { path: { vcs_repository_id: id } }),
    ({ data }) => {
      if (isByHand) setSecret(data.attributes['webhook-secret']);
      else announce(texts.renewedSecret);
    },
  );
  return (
    <>
      {isByHand && <p className="soft">{texts.byHandContent}</p>}
      {secret !== null && <Secret what={texts.secretOfWebhook} text={secret} onClose={() => setSecret(null)} />}
      <div className={styles.actions}>
        <Button onClick={() => renew.mutate()}>{isByHand ? texts.newSecret : texts.renewSecret}</Button>
        <span className="soft">{renew.isSuccess && !isByHand ? texts.renewedSecret : texts.newSecretHelp}</span>
        {renew.error && <span role="alert">{renew.error.message}</span>}
      </div>
    </>
  );
}
