import Parameters

/// Alibaba Cloud's block traces.
///
///     419,W,8792731648,16384,1577808144360767
///
/// The columns are device, operation (R, W), offset and length in bytes, time in microseconds since
/// 1970. A volume is the device. See ``BlockRequests`` for keys and sizes.
///
/// Source: github.com/alibaba/block-traces; Li, Wang, Lee and Tang, IISWC 2020.
struct AlibabaBlockFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "alibaba-block",
    summary: "Alibaba Cloud's block traces: device,opcode,offset,length,time",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "device_id,opcode,offset,length,timestamp",
    volume: [0], offset: 2, length: 3, operation: 1, time: 4, timeUnit: .microsecond)

  let requests: BlockRequests
}
