import { Button } from '../../components/button/Button.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import styles from './explain.module.css';
import { isSameTest, type Test } from './question.ts';

interface TestsProps {
  readonly tests: readonly Test[];
  /** Whether each came out as it should. */
  readonly passed: readonly (boolean | undefined)[];
  /** What is in view: it can be kept as a test. */
  readonly inView: Test | undefined;
  readonly onChange: (tests: readonly Test[]) => void;
  readonly onOpen: (test: Test) => void;
}

/** Requests that should come out one way, asked with each draft. */
export function Tests({ tests, passed, inView, onChange, onOpen }: TestsProps) {
  const isKept = inView !== undefined && tests.some((test) => isSameTest(test, inView));
  if (tests.length === 0 && !inView) return null;
  return (
    <div className={styles.part}>
      <h2>Tests of this policy</h2>
      <ul className={styles.tests}>
        {tests.map((test, index) => {
          const { capability, path, allowed } = test;
          const isPassed = passed[index];
          return (
            <li key={`${capability} ${path}`}>
              <Icon
                name={isPassed === undefined ? 'queued' : isPassed ? 'check' : 'x'}
                is={isPassed === undefined ? 'idle' : isPassed ? 'good' : 'bad'}
              />
              <span>{capability}</span>
              <button type="button" className={styles.open} onClick={() => onOpen(test)}>
                <code>{path}</code>
              </button>
              <span className={isPassed === false ? styles.bad : 'soft'}>
                {isPassed === false ? 'should be ' : ''}
                {allowed ? 'allowed' : 'denied'}
              </span>
              <button
                type="button"
                className={styles.cross}
                aria-label={`Remove the test ${capability} on ${path}`}
                onClick={() => onChange(tests.filter((one) => one !== test))}
              >
                <Icon name="x" />
              </button>
            </li>
          );
        })}
      </ul>
      {inView && !isKept && (
        <Button look="small" onClick={() => onChange([...tests, inView])}>
          Keep as a test: {inView.allowed ? 'allowed' : 'denied'}
        </Button>
      )}
      <p className={styles.hint}>Kept in the address of this page, and nowhere else: copy it to share them.</p>
    </div>
  );
}
