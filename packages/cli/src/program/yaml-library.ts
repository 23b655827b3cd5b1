/**
 * The parts of the YAML library that the writer needs, in a module that can be loaded on demand: after bundling,
 * `import('yaml')` itself has no named exports.
 */
export { Document, visit } from 'yaml'
