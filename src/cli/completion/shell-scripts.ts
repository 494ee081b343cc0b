import type { Place } from './command-outline.ts';

/** Shells with completion scripts. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns the completion script. It contains all commands, so that completion starts no process. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash, zsh, fish }[shell](places);
}

/** Quotes text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const words = ({ commands, options }: Place): string => [...commands, ...options].map(({ name }) => name).join(' ');
/** Cases that walk the typed words to a command: ` dev` from the program, `workspace list` from `workspace`. */
const steps = (places: readonly Place[]): string[] =>
  places.filter(({ path }) => path !== '').map(({ path }) => (path.includes(' ') ? path : ` ${path}`));

/** Cases for options with fixed values, such as `read --format`. */
function chosen(places: readonly Place[]): [string, readonly string[]][] {
  return places.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }): [string, readonly string[]] => [`${path} ${name}`, choices]),
  );
}

function bash(places: readonly Place[]): string {
  return `# bash completion of lockkeeper: eval "$(lockkeeper completion bash)"
_lockkeeper() {
  local at='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${steps(places).map(quote).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${places.map((place) => `    ${quote(place.path)}) words=${quote(words(place))} ;;`).join('\n')}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${chosen(places)
  .map(([name, choices]) => `    ${quote(name)}) words=${quote(choices.join(' '))} ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lockkeeper lockkeeper
`;
}

function zsh(places: readonly Place[]): string {
  const described = ({ commands, options }: Place) =>
    [...commands, ...options].map(({ name, description }) => quote(`${name.replaceAll(':', '\\:')}:${description}`));
  return `#compdef lockkeeper
# zsh completion of lockkeeper: eval "$(lockkeeper completion zsh)", after compinit
_lockkeeper() {
  local at='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${steps(places)
        .map((step) => quote(step))
        .join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${places.map((place) => `    (${quote(place.path)}) found=(${described(place).join(' ')}) ;;`).join('\n')}
  esac
  case "$at \${words[CURRENT-1]}" in
${chosen(places)
  .map(([name, choices]) => `    (${quote(name)}) found=(${choices.map(quote).join(' ')}) ;;`)
  .join('\n')}
  esac
  _describe 'lockkeeper' found || _files
}
compdef _lockkeeper lockkeeper
`;
}

function fish(places: readonly Place[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = places.flatMap(({ path, commands, options }) => {
    const where = `complete -c lockkeeper -n ${quoted(`__lockkeeper_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ name, description }) => `${where} -f -a ${quoted(name)} -d ${quoted(description)}`),
      ...options.map(({ name, description, choices, takesValue }) => {
        const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `${where} -l ${name.replace(/^--/, '')}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion of lockkeeper: lockkeeper completion fish | source
function __lockkeeper_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${steps(places).map(quoted).join(' ')}
                set at (string trim "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
