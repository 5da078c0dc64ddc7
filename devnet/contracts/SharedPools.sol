// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IERC20 {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function totalSupply() external view returns (uint256);
}

interface IWrapped is IERC20 {
    function deposit() external payable;
    function withdraw(uint256 value) external;
}

/// Uniswap V4. All its pools are in this contract.
interface IPoolManager {
    struct Key {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct Swap {
        bool zeroForOne;
        int256 amount;
        uint160 limit;
    }

    struct Change {
        int24 lower;
        int24 upper;
        int256 liquidity;
        bytes32 salt;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(Key calldata key, Swap calldata order, bytes calldata data) external returns (int256);
    function modifyLiquidity(Key calldata key, Change calldata change, bytes calldata data)
        external
        returns (int256, int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
    function extsload(bytes32 slot) external view returns (bytes32);
}

/// Balancer V2. The Vault holds the tokens of all pools.
interface IVault {
    struct Swap {
        bytes32 poolId;
        uint8 kind;
        address tokenIn;
        address tokenOut;
        uint256 amount;
        bytes data;
    }

    struct Funds {
        address sender;
        bool fromInternalBalance;
        address recipient;
        bool toInternalBalance;
    }

    struct Request {
        address[] tokens;
        uint256[] limits;
        bytes data;
        bool internalBalance;
    }

    function swap(Swap calldata order, Funds calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256);
    function joinPool(bytes32 id, address sender, address recipient, Request calldata request) external payable;
    function exitPool(bytes32 id, address sender, address recipient, Request calldata request) external;
    function getPoolTokens(bytes32 id) external view returns (address[] memory, uint256[] memory, uint256);
}

interface IWeightedPool is IERC20 {
    function getPoolId() external view returns (bytes32);
    function getVault() external view returns (IVault);
}

/// Swaps and liquidity in pools that are inside a shared contract: Uniswap V4's PoolManager, Balancer V2's Vault.
/// A V4 venue has the fee in bits 0 to 23 and the tick spacing in bits 24 to 47; bit 48 is set if the pool has ether
/// where the caller names wrapped ether. The rest of the pool's key follows from the tokens.
abstract contract SharedPools {
    uint256 internal constant SHARES = 1_000_000;
    address internal constant WRAPPED = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;
    uint160 internal constant MIN_LIMIT = 4295128740;
    uint160 internal constant MAX_LIMIT = 1461446703485210103287273052203988822378723970341;
    int256 internal constant UNLIMITED = 1 << 120;
    uint256 internal constant HAS_ETHER = 1 << 48;
    IPoolManager private constant MANAGER = IPoolManager(0x000000000004444c5dc75cB358380D2e3dE08A90);

    // Kinds of joins and exits of a WeightedPool.
    uint256 private constant FIRST_JOIN = 0;
    uint256 private constant JOIN_WITH_TOKENS = 1;
    uint256 private constant EXIT_WITH_SHARES = 1;

    /// A swap if `limit` is not 0, otherwise a change of liquidity.
    struct Action {
        IPoolManager.Key key;
        bool zeroForOne;
        uint160 limit;
        /// With V4's sign: negative if the swapper pays it.
        int256 amount;
        int24 lower;
        int24 upper;
        address payer;
        address to;
    }

    /// Accepts ether from the wrapper and the manager.
    receive() external payable {}

    /// Trades a V4 pool to a price. Fails if the pool is already beyond it.
    function alignV4(uint256 venue, address tokenIn, address tokenOut, uint160 target) external {
        _swapV4To(venue, tokenIn, tokenOut, UNLIMITED, target, msg.sender, msg.sender);
    }

    /// Adds liquidity to a range of a V4 pool, or removes it with the range's fees. The PoolManager tells
    /// the callers' positions apart by their salt.
    function changeV4(uint256 venue, address token0, address token1, int24 lower, int24 upper, int256 liquidity)
        external
    {
        Action memory action;
        (action.key, ) = _keyOf(venue, token0, token1);
        (action.lower, action.upper, action.amount) = (lower, upper, liquidity);
        (action.payer, action.to) = (msg.sender, msg.sender);
        MANAGER.unlock(abi.encode(action));
    }

    /// Sells an exact amount in a weighted pool.
    function sellWeighted(address pool, address tokenIn, address tokenOut, uint256 amount) external {
        _swapWeighted(pool, tokenIn, tokenOut, amount, msg.sender, msg.sender);
    }

    /// Amounts are in the order of the pool's tokens.
    function joinWeighted(address pool, uint256[] calldata amounts) external {
        (IVault vault, bytes32 id, address[] memory tokens) = _partsOf(pool);
        for (uint256 i = 0; i < tokens.length; i++) {
            _pay(tokens[i], msg.sender, address(this), amounts[i]);
            _allow(tokens[i], address(vault), amounts[i]);
        }
        bool isFirst = IWeightedPool(pool).totalSupply() == 0;
        bytes memory data = isFirst
            ? abi.encode(FIRST_JOIN, amounts)
            : abi.encode(JOIN_WITH_TOKENS, amounts, uint256(0));
        vault.joinPool(id, address(this), msg.sender, IVault.Request(tokens, amounts, data, false));
    }

    function exitWeighted(address pool, uint256 share) external {
        (IVault vault, bytes32 id, address[] memory tokens) = _partsOf(pool);
        uint256 amount = (IERC20(pool).balanceOf(msg.sender) * share) / SHARES;
        _pay(pool, msg.sender, address(this), amount);
        bytes memory data = abi.encode(EXIT_WITH_SHARES, amount);
        IVault.Request memory request = IVault.Request(tokens, new uint256[](tokens.length), data, false);
        vault.exitPool(id, address(this), msg.sender, request);
    }

    /// Performs an `Action` and pays for it.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(MANAGER), "not the manager");
        Action memory action = abi.decode(data, (Action));
        int256 both = action.limit == 0 ? _change(action) : _exchange(action);
        (int128 amount0, int128 amount1) = (int128(both >> 128), int128(both));
        _settle(action.key.currency0, amount0, action);
        _settle(action.key.currency1, amount1, action);
        return abi.encode(amount0, amount1);
    }

    /// Returns the prices of V4 pools as sqrtPriceX96: the lowest bits of the first word of each pool's state.
    function _pricesV4(bytes32[] calldata slots) internal view returns (uint256[] memory prices) {
        prices = new uint256[](slots.length);
        for (uint256 i = 0; i < slots.length; i++) {
            prices[i] = uint160(uint256(MANAGER.extsload(slots[i])));
        }
    }

    function _balancesIn(address pool) internal view returns (uint256[] memory balances) {
        IVault vault = IWeightedPool(pool).getVault();
        (, balances, ) = vault.getPoolTokens(IWeightedPool(pool).getPoolId());
    }

    function _swapV4(uint256 venue, address tokenIn, address tokenOut, uint256 amount, address payer, address to)
        internal
        returns (uint256)
    {
        return _swapV4To(venue, tokenIn, tokenOut, int256(amount), 0, payer, to);
    }

    function _swapWeighted(
        address pool,
        address tokenIn,
        address tokenOut,
        uint256 amount,
        address payer,
        address to
    ) internal returns (uint256) {
        IVault vault = IWeightedPool(pool).getVault();
        if (payer != address(this)) _pay(tokenIn, payer, address(this), amount);
        _allow(tokenIn, address(vault), amount);
        IVault.Swap memory order =
            IVault.Swap(IWeightedPool(pool).getPoolId(), 0, tokenIn, tokenOut, amount, "");
        return vault.swap(order, IVault.Funds(address(this), false, to, false), 0, block.timestamp);
    }

    /// Accepts tokens whose transfer returns nothing.
    function _pay(address token, address from, address to, uint256 value) internal {
        bytes memory call = from == address(this)
            ? abi.encodeWithSignature("transfer(address,uint256)", to, value)
            : abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value);
        _callToken(token, call);
    }

    function _swapV4To(
        uint256 venue,
        address tokenIn,
        address tokenOut,
        int256 amount,
        uint160 target,
        address payer,
        address to
    ) private returns (uint256) {
        Action memory action;
        (action.key, action.zeroForOne) = _keyOf(venue, tokenIn, tokenOut);
        action.limit = target != 0 ? target : action.zeroForOne ? MIN_LIMIT : MAX_LIMIT;
        (action.amount, action.payer, action.to) = (-amount, payer, to);
        bytes memory result = MANAGER.unlock(abi.encode(action));
        (int128 amount0, int128 amount1) = abi.decode(result, (int128, int128));
        return uint128(action.zeroForOne ? amount1 : amount0);
    }

    /// Returns the key of a venue, and whether `a` is its first currency.
    function _keyOf(uint256 venue, address a, address b)
        private
        pure
        returns (IPoolManager.Key memory key, bool isFirst)
    {
        if (venue & HAS_ETHER != 0 && a == WRAPPED) a = address(0);
        if (venue & HAS_ETHER != 0 && b == WRAPPED) b = address(0);
        isFirst = a < b;
        (key.currency0, key.currency1) = isFirst ? (a, b) : (b, a);
        (key.fee, key.tickSpacing) = (uint24(venue), int24(uint24(venue >> 24)));
    }

    function _exchange(Action memory action) private returns (int256) {
        return MANAGER.swap(action.key, IPoolManager.Swap(action.zeroForOne, action.amount, action.limit), "");
    }

    function _change(Action memory action) private returns (int256 both) {
        bytes32 salt = bytes32(uint256(uint160(action.payer)));
        IPoolManager.Change memory change =
            IPoolManager.Change(action.lower, action.upper, action.amount, salt);
        (both, ) = MANAGER.modifyLiquidity(action.key, change, "");
    }

    /// Takes what the manager owes to this contract, or pays what it owes to the manager.
    function _settle(address currency, int128 amount, Action memory action) private {
        if (amount > 0) MANAGER.take(currency, action.to, uint128(amount));
        if (amount >= 0) return;
        uint256 owed = uint128(-amount);
        if (currency == address(0)) {
            _collectEther(action.payer, owed);
            MANAGER.settle{value: owed}();
        } else {
            MANAGER.sync(currency);
            _pay(currency, action.payer, address(MANAGER), owed);
            MANAGER.settle();
        }
    }

    /// Makes ether available: the ether that the caller sent, or else unwrapped ether.
    function _collectEther(address payer, uint256 amount) private {
        if (payer != address(this)) _pay(WRAPPED, payer, address(this), amount);
        if (address(this).balance < amount) IWrapped(WRAPPED).withdraw(amount);
    }

    function _partsOf(address pool) private view returns (IVault vault, bytes32 id, address[] memory tokens) {
        (vault, id) = (IWeightedPool(pool).getVault(), IWeightedPool(pool).getPoolId());
        (tokens, , ) = vault.getPoolTokens(id);
    }

    function _allow(address token, address spender, uint256 amount) private {
        if (IERC20(token).allowance(address(this), spender) >= amount) return;
        _callToken(token, abi.encodeWithSignature("approve(address,uint256)", spender, type(uint256).max));
    }

    function _callToken(address token, bytes memory call) private {
        (bool success, bytes memory returned) = token.call(call);
        require(success && (returned.length == 0 || abi.decode(returned, (bool))), "payment failed");
    }
}
