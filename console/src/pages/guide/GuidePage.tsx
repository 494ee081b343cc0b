import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button/Button.tsx';
import { Command } from '../../components/command/Command.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import { counted } from '../../format/number.ts';
import { sessionQuery } from '../../session/session.ts';
import { dismiss, isDismissed } from '../../shell/dismissed.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './guide.module.css';
import { type Step, stepsOf } from './steps.ts';
import * as texts from './texts.ts';
import { useProgress } from './use-progress.ts';

/** First steps, from an empty server to a runner that locks a workspace. */
export function GuidePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { done, names } = useProgress(session);
  const navigate = useNavigate();
  usePlace([{ label: texts.overview, to: '/~overview' }, { label: texts.firstSteps }]);
  usePathLine({ request: { method: 'GET', address: '/healthz/ready' } });
  const steps = stepsOf(names);
  const passed = steps.filter(({ id }) => done[id]).length;
  const next = steps.find(({ id }) => done[id] === false)?.id;
  const missing = (['access', 'workspaces'] as const).find((side) => session[side] === null && session.offers[side]);
  const leave = () => {
    dismiss('guide', true);
    void navigate({ to: '/~overview' });
  };
  return (
    <>
      <PageHead
        title={texts.firstSteps}
        beside={
          <span className="soft">
            {passed === steps.length ? texts.allDone : texts.ofDone(passed, counted(steps.length, texts.step))}
          </span>
        }
        lede={texts.guideHint}
        actions={isDismissed('guide') ? undefined : <Button onClick={leave}>{texts.doNotShowAgain}</Button>}
      />
      {missing && (
        <p className={styles.missing}>
          {texts.theProgressOfThe(missing)}{' '}
          <Link className="link" to="/~sign-in" search={{ to: '/~guide', side: missing }}>
            {texts.signInTo(missing)}
          </Link>
        </p>
      )}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Row key={step.id} step={step} isDone={done[step.id]} isNext={step.id === next} />
        ))}
      </ol>
    </>
  );
}

interface RowProps {
  readonly step: Step;
  readonly isDone: boolean | undefined;
  readonly isNext: boolean;
}

function Row({ step: { title, why, command }, isDone, isNext }: RowProps) {
  return (
    <li className={isNext ? styles.next : undefined} {...(isNext && { 'aria-current': 'step' })}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <State icon={isDone ? 'ok' : 'queued'} is={isDone ? 'good' : 'idle'}>
          {isDone === undefined ? texts.unknown : isDone ? texts.done : isNext ? texts.next : texts.toDo}
        </State>
      </div>
      <p className="soft">{why}</p>
      <Command text={command} what={texts.theCommand(title)} />
    </li>
  );
}
