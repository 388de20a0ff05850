'use strict'

const { compareFlavours } = require('./support/compare-flavours')

compareFlavours(require.resolve('./scenarios/rows'))
