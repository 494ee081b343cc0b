import { Button } from '../../components/button/Button.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import styles from './explain.module.css';
import { isSameTest, type Test } from './question.ts';
import * as texts from './texts.ts';

interface TestsProps {
  readonly tests: readonly Test[];
  /** Results of the tests. */
  readonly passed: readonly (boolean | undefined)[];
  /** The current request, which can be saved as a test. */
  readonly inView: Test | undefined;
  readonly onChange: (tests: readonly Test[]) => void;
  readonly onOpen: (test: Test) => void;
}

/** Requests with expected results, checked again with each draft. */
export function Tests({ tests, passed, inView, onChange, onOpen }: TestsProps) {
  const isKept = inView !== undefined && tests.some((test) => isSameTest(test, inView));
  if (tests.length === 0 && !inView) return null;
  return (
    <div className={styles.part}>
      <h2>{texts.testsOfThisPolicy}</h2>
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
                {isPassed === false ? texts.shouldBe : ''}
                {allowed ? texts.allowed : texts.denied}
              </span>
              <button
                type="button"
                className={styles.cross}
                aria-label={texts.removeTheTestOn(capability, path)}
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
          {texts.saveAsTest(inView.allowed ? texts.allowed : texts.denied)}
        </Button>
      )}
      <p className={styles.hint}>{texts.testsAreStoredIn}</p>
    </div>
  );
}
