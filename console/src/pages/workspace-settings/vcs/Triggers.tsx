import { Area, Field, Select } from '../../../components/form/Field.tsx';
import type { Followed, TriggerKind } from '../../../components/vcs/triggers.ts';
import * as texts from './texts.ts';

const KINDS: readonly (readonly [TriggerKind, string])[] = [
  ['all', texts.every],
  ['directory', texts.workingDirectory],
  ['prefixes', texts.prefixes],
  ['patterns', texts.patterns],
  ['tags', texts.tags],
];

interface TriggersProps {
  readonly value: Followed;
  readonly onValue: (change: Partial<Followed>) => void;
  readonly directory: string;
  readonly off: string | false;
}

/** Fields that decide which pushes start runs. */
export function Triggers({ value, onValue, directory, off }: TriggersProps) {
  const { kind } = value;
  return (
    <>
      <Select
        label={texts.pushesThatStart}
        off={off}
        value={kind}
        options={KINDS}
        help={kind === 'directory' && (directory === '' ? texts.noDirectory : texts.directoryIs(directory))}
        onText={(next) => onValue({ kind: next as TriggerKind })}
      />
      {(kind === 'prefixes' || kind === 'patterns') && (
        <Area
          name={`trigger-${kind}`}
          label={kind === 'prefixes' ? texts.folders : texts.patternsLabel}
          help={kind === 'prefixes' ? texts.foldersOneOn : texts.patternsOneOn}
          isCode
          rows={3}
          off={off}
          value={value.paths}
          onText={(paths) => onValue({ paths })}
        />
      )}
      {kind === 'tags' && (
        <Field
          name="vcs-repo/tags-regex"
          label={texts.regex}
          help={texts.regexForExample}
          off={off}
          value={value.regex}
          onText={(regex) => onValue({ regex })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
}
