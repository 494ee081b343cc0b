import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { workspaces } from '../../../../api/client.ts';
import { Section } from '../../../../components/section/Section.tsx';
import { NotForYou, usePart } from '../../part.tsx';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import { ChooseProvider } from './ChooseProvider.tsx';
import { CredentialStep } from './CredentialStep.tsx';
import { findProvider } from './providers.ts';
import { ResultStep } from './ResultStep.tsx';
import { ServerStep } from './ServerStep.tsx';
import { type ConnectSearch, type Step, settled, stepOf } from './steps.ts';

const route = getRouteApi('/signed-in/$organization/settings/version-control/new');
const STEPS = [texts.stepProvider, texts.stepServer, texts.stepCredential, texts.stepResult];

/** Moves the focus to the start of a step, so that a keyboard or a screen reader goes on there. */
function StepFocus({ step }: { readonly step: Step }) {
  const place = useRef<HTMLParagraphElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) place.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <p ref={place} tabIndex={-1} className="sr">
      {texts.stepOf(step, STEPS[step - 1] ?? '')}
    </p>
  );
}

/** Connects a provider in four steps. */
export function ConnectPage() {
  const given = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/settings/version-control/new' });
  const { organization, may } = usePart(
    texts.connectAProvider,
    (name) =>
      workspaces.request('POST /organizations/{organization_name}/oauth-clients', {
        path: { organization_name: name },
      }),
    undefined,
    [{ label: texts.versionControl, to: '/version-control' }],
  );
  if (may && !may['can-update-oauth']) return <NotForYou needs="can-update-oauth" />;
  const provider = findProvider(given.provider);
  const search = settled(given, provider);
  const step = stepOf(search, provider);
  const go = (next: Step, more: ConnectSearch = {}) =>
    void navigate({ search: { ...search, ...more, step: String(next) } });
  return (
    <Section
      title={texts.connectAProvider}
      note={provider?.label}
      end={
        <Link className="link" to="/$organization/settings/version-control" params={{ organization }}>
          {texts.allConnections}
        </Link>
      }
    >
      <ol className={styles.steps} aria-label={texts.stepsOfConnecting}>
        {STEPS.map((label, index) => (
          <li key={label} {...(index + 1 === step && { 'aria-current': 'step' })}>
            {label}
          </li>
        ))}
      </ol>
      <StepFocus step={step} />
      {step === 1 && <ChooseProvider organization={organization} chosen={provider} />}
      {step === 2 && provider && (
        <ServerStep
          key={provider.id}
          provider={provider}
          search={search}
          onBack={() => go(1)}
          onContinue={(server) => go(3, { ...server, connection: undefined })}
        />
      )}
      {step === 3 && provider && (
        <CredentialStep
          organization={organization}
          provider={provider}
          search={search}
          onBack={() => go(2)}
          onWay={(way) => go(3, { way })}
          onCreate={(connection) => go(3, { connection })}
          onConnect={(connection) => go(4, { connection })}
        />
      )}
      {step === 4 && search.connection && <ResultStep organization={organization} id={search.connection} />}
    </Section>
  );
}
