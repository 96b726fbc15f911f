// Commands of the operators' line in this process: src/cli.ts is carried out anew for each, and what it imports is read
// once, where a process of its own spends a second on that. One command at a time.

/** `status`: the exit code, or the signal that ended it. */
export type Answer = { status: unknown; stdout: string; stderr: string }

let last: Promise<unknown> = Promise.resolve()
let count = 0

/** Runs the command line to its end, with no more environment than this. */
export function runCommand(words: string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const answer = last.then(() => carryOut(words, env))
  last = answer.catch(() => {})
  return answer
}

async function carryOut(words: string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const { argv, env: ours, exitCode } = process
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  Object.assign(process, { argv: ['node', 'cli.ts', ...words], env, exitCode: undefined })
  try {
    await import(`../../src/cli.ts?command=${count++}`)
    return { status: process.exitCode ?? 0, stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    Object.assign(process, { argv, env: ours, exitCode })
  }
}

/** Keeps what is written from now on, until `end`, which answers it. */
function capture(stream: NodeJS.WriteStream) {
  const { write } = stream
  const listeners = stream.listeners('error')
  let written = ''
  stream.write = (text: string | Uint8Array) => {
    written += text
    return true
  }
  return {
    end() {
      stream.write = write
      for (const listener of stream.listeners('error')) {
        if (!listeners.includes(listener)) stream.off('error', listener as () => void)
      }
      return written
    },
  }
}
