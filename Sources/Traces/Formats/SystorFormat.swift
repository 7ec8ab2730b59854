import Parameters

/// The block traces of SYSTOR '17 (SNIA IOTTA 4964): storage of virtual desktops.
///
///     Timestamp,Response,IOType,LUN,Offset,Size
///     1456095145.133076000,0.000806000,R,0,899056122368,131072
///
/// Times are seconds since 1970; offsets and sizes are bytes; a volume is the LUN. Entries whose
/// type is blank are no requests. See ``BlockRequests`` for keys and sizes.
///
/// Source: iotta.snia.org/traces/block-io/4964; Lee et al., SYSTOR 2017.
struct SystorFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "systor", summary: "SYSTOR '17 block traces: time,response,type,LUN,offset,size",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "timestamp,response,iotype,lun,offset,size",
    volume: [3], offset: 4, length: 5, operation: 2, time: 0, timeUnit: .second)

  let requests: BlockRequests
}
