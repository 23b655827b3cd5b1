/** Strongly connected components of a graph (Tarjan), without recursion, so that long chains do not exhaust the stack. */

export interface Components {
  /** Component number of each vertex. */
  readonly component: Int32Array
  /** Vertices of each component. */
  readonly members: readonly (readonly number[])[]
}

const UNSEEN = -1

export const findComponents = (edges: readonly (readonly number[])[]): Components => {
  const count = edges.length
  const index = new Int32Array(count).fill(UNSEEN)
  const low = new Int32Array(count)
  const component = new Int32Array(count).fill(UNSEEN)
  const nextEdge = new Int32Array(count)
  const members: number[][] = []
  const open: number[] = []
  const path: number[] = []
  let clock = 0
  const enter = (vertex: number): void => {
    index[vertex] = clock
    low[vertex] = clock
    clock += 1
    open.push(vertex)
    path.push(vertex)
  }
  for (let root = 0; root < count; root++) {
    if (index[root] !== UNSEEN) continue
    enter(root)
    while (path.length > 0) {
      const vertex = path[path.length - 1] as number
      const edge = nextEdge[vertex] as number
      const out = edges[vertex] as readonly number[]
      if (edge < out.length) {
        nextEdge[vertex] = edge + 1
        const next = out[edge] as number
        if (index[next] === UNSEEN) enter(next)
        else if (component[next] === UNSEEN) low[vertex] = Math.min(low[vertex] as number, index[next] as number)
        continue
      }
      path.pop()
      const parent = path[path.length - 1]
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[vertex] as number)
      if (low[vertex] === index[vertex]) members.push(closeComponent(vertex, open, component, members.length))
    }
  }
  return { component, members }
}

const closeComponent = (vertex: number, open: number[], component: Int32Array, number: number): number[] => {
  const group: number[] = []
  for (;;) {
    const member = open.pop() as number
    component[member] = number
    group.push(member)
    if (member === vertex) return group
  }
}
